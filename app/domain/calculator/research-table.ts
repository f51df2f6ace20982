/** One row of the research reference table. */
export interface ResearchRow {
  readonly compound: string;
  readonly vial: string;
  readonly doses: string;
}

/** Taken unchanged from the specification; do not change the figures. */
export const RESEARCH_TABLE: readonly ResearchRow[] = [
  { compound: 'BPC-157', vial: '5 mg', doses: '250-500 mcg' },
  { compound: 'TB-500', vial: '5 mg', doses: '2-5 mg' },
  { compound: 'Semaglutide', vial: '5 mg', doses: '0.25-1 mg' },
  { compound: 'Ipamorelin', vial: '5 mg', doses: '200-300 mcg' },
];
