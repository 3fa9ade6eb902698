"""Models that went through this crate's structs, loaded by XGBoost itself."""

import json
import subprocess

import documents
import peers

EXAMPLE = ["cargo", "run", "--quiet", "--example", "edit_model", "--"]


def models():
    folders = [documents.PROJECT / "tests/data/xgboost", documents.SHARED / "xgboost", documents.SHARED / "xgboost/old"]
    for folder in folders:
        if folder.is_dir():
            yield from sorted(folder.glob("*.ubj"))
        else:
            print(f"{folder} is not here: its models are left out")


def run(program, skip):
    """Rewrites every model and asks XGBoost what it predicts; the number of comparisons and the failures."""
    try:
        adapter = peers.Adapter([peers.python(), peers.HERE / "adapters/predict.py"])
    except peers.Unavailable as reason:
        skip(f"XGBoost: {reason}")
        return 0, []
    written = peers.BUILD / "model.ubj"
    compared, shortened, failures = 0, 0, []
    for path in models():
        subprocess.run([program, "model", path, written], check=True)
        before = adapter.ask(model=str(path), rounds_dropped=0)
        after = adapter.ask(model=str(written), rounds_dropped=0)
        compared += 1
        if "error" in before or before != after:
            failures.append(f"{path.name}: {different(before, after)}")
        # Of a single round nothing would be left, which XGBoost's slices cannot say; a linear model has no trees to drop.
        if before.get("rounds", 0) < 2 or "leaves" not in before:
            continue
        subprocess.run([program, "model", path, written, "drop-last-round"], check=True)
        before = adapter.ask(model=str(path), rounds_dropped=1)
        after = adapter.ask(model=str(written), rounds_dropped=0)
        compared += 1
        shortened += 1
        # XGBoost itself changes more of a model that it slices than the trees.
        before.pop("saved again", None)
        after.pop("saved again", None)
        if "error" in before or before != after:
            failures.append(f"{path.name} without its last round: {different(before, after)}")
    # The example that halves the leaves of a model: half of a float is exact, and so is half of a sum.
    path = documents.PROJECT / "tests/data/xgboost/binary_logistic.ubj"
    subprocess.run([*EXAMPLE, path, written], check=True, cwd=documents.PROJECT, stdout=subprocess.DEVNULL)
    before = adapter.ask(model=str(path), leaves_times=0.5)
    after = adapter.ask(model=str(written), leaves_times=1)
    if "error" in before or before != after:
        failures.append(f"{path.name} after the example edit_model: {different(before, after)}")
    adapter.close()
    rewritten = compared - shortened
    print(f"XGBoost: {rewritten} models rewritten, {shortened} of them without their last round too", flush=True)
    return compared + 1, failures


def different(before, after):
    if "error" in before:
        return f"refused as it was: {before['error']}"
    keys = [key for key in before.keys() | after.keys() if before.get(key) != after.get(key)]
    return json.dumps({key: [str(before.get(key))[:200], str(after.get(key))[:200]] for key in keys})
