export const EXPORT_FAILED = 'Export failed. Please try again.';
