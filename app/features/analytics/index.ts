export {
  AdherenceByCompound,
  AdherenceByWeek,
  DoseHeat,
  EffectsAgainstDoses,
  SiteRotation,
  MeasuredChart,
  Spend,
  StockChart,
} from './charts.tsx';
export { AnalyticsFilters } from './analytics-filters.tsx';
export { LevelChart, NoHalfLife } from './level-chart.tsx';
