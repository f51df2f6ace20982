import type { ExportFormat } from './export-schema.ts';

/** `vialbook-export-YYYY-MM-DD.csv`. @param day the calendar day of the export in the user's zone */
export function exportFileName(day: string, format: ExportFormat): string {
  return `vialbook-export-${day}.${format}`;
}

const CONTENT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  pdf: 'application/pdf',
};

/** The content type of an export's file. */
export function exportContentType(format: ExportFormat): string {
  return CONTENT_TYPES[format];
}

/** Version of the file format, given in the metadata. */
export const EXPORT_VERSION = 'v1.0.0';

/** Written before the records if requested. */
export interface ExportMetadata {
  /** ISO 8601, UTC. */
  exportDate: string;
  userEmail: string;
  version: string;
  totalRecords: number;
}

/** The columns of the metadata row, in order. */
export const METADATA_COLUMNS = ['exportDate', 'userEmail', 'version', 'totalRecords'] as const;

export const EXPORT_FAILED = 'Export failed. Please try again.';
