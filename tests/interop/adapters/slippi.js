// What @slippi/slippi-js finds in each replay named on the command line: one line of JSON a file, which is an error's
// text where it refuses the file.
'use strict';

const { SlippiGame } = require('@slippi/slippi-js/node');

function describe(path) {
	const game = new SlippiGame(path);
	return {
		settings: game.getSettings(),
		metadata: game.getMetadata(),
		end: game.getGameEnd(),
		stats: game.getStats(),
		frames: Object.keys(game.getFrames()).length,
		'last frame': game.getLatestFrame(),
	};
}

for (const path of process.argv.slice(2)) {
	let found;
	try {
		found = describe(path);
	} catch (error) {
		found = String(error);
	}
	console.log(JSON.stringify(found));
}
