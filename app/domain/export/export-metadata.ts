/** Version of the export's format (specification, section 9). */
export const EXPORT_VERSION = 'v1.0.0';

/** What stands before the records when asked for. */
export interface ExportMetadata {
  /** ISO 8601, UTC. */
  exportDate: string;
  userEmail: string;
  version: string;
  totalRecords: number;
}

/** The columns of the metadata row, in order. */
export const METADATA_COLUMNS = ['exportDate', 'userEmail', 'version', 'totalRecords'] as const;
