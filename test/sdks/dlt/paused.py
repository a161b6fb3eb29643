"""Runs lead_pipeline.py up to a point, where the test kills it: `python paused.py reading`."""

import sys
import threading

import lead_pipeline
import requests
from dlt import Pipeline
from dlt.common.storages.load_package import PackageStorage
from dlt.load.load import Load

# Each pauses before a call of this function: the fourth request, for instance.
POINTS = {
    "reading": (requests.Session, "send", 4),
    "read": (Pipeline, "normalize", 1),
    # The first rows are in the database, but dlt hasn't noted that.
    "staged": (PackageStorage, "save_pending_transition", 1),
    "merged": (Load, "complete_package", 1),
    "loaded": (lead_pipeline, "delete_what_is_gone", 1),
}


def pause(owner, name, calls):
    original = getattr(owner, name)
    left = iter(range(calls - 1))

    def paused(*args, **kwargs):
        if next(left, None) is None:
            print("paused", flush=True)
            threading.Event().wait()
        return original(*args, **kwargs)

    setattr(owner, name, paused)


pause(*POINTS[sys.argv[1]])
lead_pipeline.main()
