"""Run Spark queries with progress and cancellation."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TypeVar
from uuid import uuid4

from pyspark import SparkContext, inheritable_thread_target
from pyspark.sql import SparkSession

T = TypeVar("T")
TellShare = Callable[[float], object]

_EVERY = 0.2  # seconds between looks
_LATER = 8  # tasks that may yet come: Spark does not say how many jobs a query will have


def tell_no_share(share: float) -> None:
    """Tell nobody how far a query is."""


def watch_query(spark: SparkSession, query: Callable[[], T], tell: TellShare = tell_no_share) -> T:
    """Run a query in a thread of its own, while this one looks how far it is.

    If this thread is stopped, by `tell` or by Ctrl-C, the jobs of the query are ended before the
    exception goes on.

    Args:
        spark: The session.
        query: Starts jobs of Spark and waits for them.
        tell: Progress callback, with the share done, which never falls.
    """
    tag = f"microsafe-{uuid4()}"
    context = spark.sparkContext if isinstance(spark, SparkSession) else None  # Spark Connect
    mark, stop = (
        (context.addJobTag, context.cancelJobsWithTag)
        if context is not None
        else (spark.addTag, spark.interruptTag)
    )

    def run_tagged() -> T:
        mark(tag)
        return query()

    with ThreadPoolExecutor(1) as pool:
        running: Future[T] = pool.submit(inheritable_thread_target(spark)(run_tagged))
        share = 0.0
        try:
            while not wait([running], _EVERY).done:
                if context is not None and tell is not tell_no_share:
                    share = max(share, _finished_share(context, tag))
                tell(share)
        except BaseException:
            while not running.done():  # it may be about to start another job
                stop(tag)
                wait([running], _EVERY)
            raise
        return running.result()


def _finished_share(context: SparkContext, tag: str) -> float:
    """Share of the tasks known so far that are done."""
    tracker = context.statusTracker()
    # PySpark finds jobs by their group, but that is the caller's to choose.
    jobs = map(tracker.getJobInfo, context._jsc.sc().statusTracker().getJobIdsForTag(tag))
    numbers = sorted({number for job in jobs if job is not None for number in job.stageIds})
    stages = [stage for stage in map(tracker.getStageInfo, numbers) if stage is not None]
    # Stages that did not start yet may never do: what they would make may be there already.
    begun = [stage for stage in stages if stage.numActiveTasks or stage.numCompletedTasks]
    done: int = sum(stage.numCompletedTasks for stage in begun)
    known: int = sum(stage.numTasks for stage in begun)
    return done / (known + _LATER)
