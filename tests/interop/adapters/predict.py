"""What XGBoost makes of models: `predict.py` answers requests, one JSON object a line.

`{"model": PATH, "rounds_dropped": N}` is answered with the model as XGBoost saves it again and with the bits of its
predictions, after the last N rounds are left out. `{"model": PATH, "leaves_times": X}` is answered with the bits of the
sum of the leaves, times X. Either with `{"error": ...}` where XGBoost refuses the file.
"""

import hashlib
import json
import sys

import numpy
import xgboost

ROWS = 500


def data(booster):
    """The same rows for the same model, some of their values missing."""
    random = numpy.random.default_rng(2026)
    rows = random.normal(size=(ROWS, booster.num_features())).astype(numpy.float32)
    types = booster.feature_types
    for column, kind in enumerate(types or []):
        if kind == "c":
            rows[:, column] = random.integers(0, 8, size=ROWS)
    rows[random.random(size=rows.shape) < 0.1] = numpy.nan
    return xgboost.DMatrix(
        rows, feature_names=booster.feature_names, feature_types=types, enable_categorical=types is not None
    )


def bits(array):
    return f"{array.dtype} {array.shape} {hashlib.sha256(array.tobytes()).hexdigest()}"


def describe(path, rounds_dropped):
    booster = xgboost.Booster()
    booster.load_model(path)
    if rounds_dropped:
        booster = booster[: booster.num_boosted_rounds() - rounds_dropped]
    rows = data(booster)
    found = {
        "rounds": booster.num_boosted_rounds(),
        "saved again": booster.save_raw("json").decode(),
        "predictions": bits(booster.predict(rows)),
        "margins": bits(booster.predict(rows, output_margin=True)),
    }
    if found["rounds"] and "gbtree_model_param" in found["saved again"]:
        found["leaves"] = bits(booster.predict(rows, pred_leaf=True))
    return found


def leaves(path, times):
    booster = xgboost.Booster()
    booster.load_model(path)
    rows = data(booster)
    rows.set_base_margin(numpy.zeros(ROWS))
    return {"leaves": bits(booster.predict(rows, output_margin=True) * numpy.float32(times))}


for line in sys.stdin:
    request = json.loads(line)
    try:
        if "leaves_times" in request:
            answer = leaves(request["model"], request["leaves_times"])
        else:
            answer = describe(request["model"], request["rounds_dropped"])
    except Exception as error:  # whatever XGBoost raises is its answer
        answer = {"error": str(error).strip().splitlines()[0]}
    print(json.dumps(answer), flush=True)
