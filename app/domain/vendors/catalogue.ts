import { catalogueRowSchema, type CatalogueRow } from './vendor-schema.ts';

/** A line of a catalogue as read from CSV: cells by the header's names, with the line it stands on. */
export interface CatalogueLine {
  line: number;
  cells: Readonly<Record<string, string>>;
}

export interface BadLine {
  line: number;
  /** Why, for the person: the first thing that is wrong. */
  reason: string;
}

/** A catalogue after reading. */
export interface Catalogue {
  rows: (CatalogueRow & { line: number })[];
  bad: BadLine[];
}

/** Header names that mean our fields, written without blanks, points and case. */
const SYNONYMS: Readonly<Record<string, keyof CatalogueRow>> = {
  name: 'name',
  product: 'name',
  compound: 'name',
  peptide: 'name',
  form: 'form',
  mgpervial: 'mgPerVial',
  mg: 'mgPerVial',
  amountmg: 'mgPerVial',
  strength: 'mgPerVial',
  price: 'price',
  cost: 'price',
  currency: 'currency',
};

const plainHeader = (header: string): string => header.toLowerCase().replace(/[^a-z]/g, '');

/** Our field for a column's header, or null for a column that is left out. */
export function catalogueField(header: string): keyof CatalogueRow | null {
  return SYNONYMS[plainHeader(header)] ?? null;
}

/** Columns that a catalogue cannot do without. */
export const REQUIRED_CATALOGUE_FIELDS = ['name', 'mgPerVial', 'price'] as const;

/**
 * Checks the lines of a catalogue.
 * @param currency for lines that name none
 */
export function readCatalogue(lines: readonly CatalogueLine[], currency: string): Catalogue {
  const catalogue: Catalogue = { rows: [], bad: [] };
  for (const { line, cells } of lines) {
    const named: Record<string, string> = { currency };
    for (const [header, cell] of Object.entries(cells)) {
      const field = catalogueField(header);
      if (field !== null && cell.trim() !== '') named[field] = cell;
    }
    const parsed = catalogueRowSchema.safeParse(named);
    if (parsed.success) catalogue.rows.push({ ...parsed.data, line });
    else catalogue.bad.push({ line, reason: parsed.error.issues[0]?.message ?? 'This line cannot be read' });
  }
  return catalogue;
}
