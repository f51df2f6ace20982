export {
  readMeasurementRows,
  type BadLine,
  type CsvLine,
  type CsvReader,
  type CsvReading,
  type CsvReadings,
} from './csv-rows.ts';
export {
  canonicalValue,
  MAX_OWN_METRICS,
  METRICS,
  ownMetric,
  shownValue,
  unitOf,
  valueIn,
  type Metric,
  type UnitSystem,
} from './metrics.ts';
