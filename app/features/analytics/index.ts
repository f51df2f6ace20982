export {
  AdherenceByCompound,
  AdherenceByWeek,
  DoseHeat,
  EffectsAgainstDoses,
  SiteRotation,
  MeasuredChart,
  PeriodFigures,
  Spend,
  StockChart,
} from './charts.tsx';
export { AnalyticsTabs } from './analytics-tabs.tsx';
export { AnalyticsFilters } from './analytics-filters.tsx';
export { LevelChart, NoHalfLife } from './level-chart.tsx';
