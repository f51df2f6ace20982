export { summarise, type StatisticsSource, type UsageStatistics } from './usage.ts';
