export { DeleteConfirm } from './delete-confirm.tsx';
export { FreeTierLimit, SessionOnlyBanner } from './free-tier.tsx';
export { HistoryList, type HistoryListProps } from './history-list.tsx';
export { HistoryToggle } from './history-toggle.tsx';
export { type HistoryRow } from '#app/domain/history/history-row.ts';
export { UsageStatistics, type UsageStatisticsProps } from './usage-statistics.tsx';
