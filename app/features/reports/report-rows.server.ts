import { MAX_LISTED } from '#app/domain/reports/listed-rows.ts';

/** Whose data is reported on. Who may read it has been asked before. */
export interface ReportOwner {
  id: string;
  /** IANA name; days and times are shown in it. */
  timeZone: string;
}

/** What is reported on. */
export interface ReportScope {
  /** YYYY-MM-DD, both included. */
  start: string;
  end: string;
  /** Null or absent for all compounds. */
  compound?: string | null | undefined;
  /** Print the person's own notes. */
  notes?: boolean | 'on' | '' | undefined;
}

/** Rows of a section, and how many there are in all. */
export interface ListedRows<Row> {
  rows: Row[];
  total: number;
}

/** Reads all rows and keeps the first {@link MAX_LISTED} that are meant. */
export async function listedRows<Row>(
  all: AsyncIterable<Row>,
  isMeant: (row: Row) => boolean,
): Promise<ListedRows<Row>> {
  const rows: Row[] = [];
  let total = 0;
  for await (const row of all) {
    if (!isMeant(row)) continue;
    total += 1;
    if (total <= MAX_LISTED) rows.push(row);
  }
  return { rows, total };
}
