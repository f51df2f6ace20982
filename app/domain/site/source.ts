/** Where a built-in figure comes from. */
export interface Source {
  /** Label, publication or standard. */
  readonly title: string;
  /** Where in it. */
  readonly section: string;
  /** Its date, or the date of the medicine's approval. */
  readonly date: string;
  /** What it says. */
  readonly finding: string;
  /** False where no publication confirms the figure. */
  readonly isConfirmed: boolean;
}

/** A source in one line, for display beside a figure. */
export function sourceLine({ title, section, date }: Source): string {
  return `${title}, ${section} (${date})`;
}
