"""The Spark engine; imported only when it is asked for."""

from microsafe.engine.spark.engine import MOST_CELLS, SparkEngine
from microsafe.engine.spark.open import open_spark
from microsafe.engine.spark.session import session

__all__ = ["MOST_CELLS", "SparkEngine", "open_spark", "session"]
