export { AdherenceByCompound, AdherenceByWeek, DoseHeat } from './dose-charts.tsx';
export { EffectsAgainstDoses, SiteRotation } from './event-charts.tsx';
export { AnalyticsFilters } from './filters.tsx';
export { LevelChart, NoHalfLife } from './level-chart.tsx';
export { MeasuredChart } from './measured-chart.tsx';
export { Spend, StockChart } from './money-charts.tsx';
