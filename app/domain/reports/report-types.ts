/** A column of a section: what stands above it, and its share of the width on paper. */
export interface ReportColumn {
  label: string;
  width: number;
  /** Figures are set to the right. */
  numeric?: boolean;
}

/** Rows of a section that stand together. */
export interface ReportMonth {
  /** "March 2026" */
  title: string;
  /** "29 taken, 2 missed, 0 skipped: 93.5 %" */
  about: string;
  /** How many of the section's rows; the first month has the first ones. */
  rows: number;
}

/** One part of the report as texts, for page, print and PDF alike. Cells are in the columns' order. */
export interface ReportSection {
  title: string;
  /** A sentence above the table; null for none. */
  note: string | null;
  columns: readonly ReportColumn[];
  rows: string[][];
  /** Of a long list: the months that all rows belong to, in the rows' order; else empty. */
  months: readonly ReportMonth[];
  /** Instead of a table without rows. */
  nothing: string;
}

/** Adherence as texts. */
export interface ReportAdherence {
  /** "91.7 %"; null when nothing was due. */
  share: string | null;
  /** "11 ÷ (11 + 1) = 91.7 %"; null when nothing was due. */
  numbers: string | null;
  formula: string;
  /** "11 taken, 1 missed, 2 skipped, 0 not logged yet" */
  counts: string;
  /** How punctually doses were taken; null when none was. */
  timing: string | null;
}

/** The report for a clinician. It names nobody. */
export interface ClinicianReport {
  /** Period, compound, zone, when it was made. */
  facts: { label: string; value: string }[];
  adherence: ReportAdherence;
  sections: ReportSection[];
}
