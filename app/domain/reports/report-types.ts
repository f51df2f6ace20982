/** A column of a section: its heading, and its share of the width on paper. */
export interface ReportColumn {
  label: string;
  width: number;
  /** Numeric columns are aligned right. */
  numeric?: boolean;
}

/** A month in a section. */
export interface ReportMonth {
  /** "March 2026" */
  title: string;
  /** "29 taken, 2 missed, 0 skipped: 93.5%" */
  about: string;
  /** Number of rows; the months take the section's rows in order. */
  rows: number;
}

/** One section of the report as text, for page, print and PDF. Cells are in the order of the columns. */
export interface ReportSection {
  title: string;
  /** A sentence above the table, if any. */
  note: string | null;
  columns: readonly ReportColumn[];
  rows: string[][];
  /** For a long list, its months in the order of the rows; otherwise empty. */
  months: readonly ReportMonth[];
  /** Text in place of a table without rows. */
  nothing: string;
}

/** Adherence as text. */
export interface ReportAdherence {
  /** "91.7%"; null if nothing was due. */
  share: string | null;
  /** "11 ÷ (11 + 1) = 91.7%"; null if nothing was due. */
  numbers: string | null;
  formula: string;
  /** "11 taken, 1 missed, 2 skipped, 0 not logged yet" */
  counts: string;
  /** How punctually doses were taken; null if none were. */
  timing: string | null;
}

/** The report for a clinician. It does not contain the owner's name. */
export interface ClinicianReport {
  /** Period, compound, time zone and time of creation. */
  facts: { label: string; value: string }[];
  adherence: ReportAdherence;
  sections: ReportSection[];
}
