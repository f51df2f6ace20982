import type { ShownPreview } from '#app/domain/schedules/schedule-view.ts';
import { DoseTable } from './dose-table.tsx';
import { PhaseTable } from './phase-table.tsx';

/** The next doses of what the form says, above its last button. */
export function Preview({ words, timeZone, doses, phases }: ShownPreview) {
  return (
    <section id="preview" aria-labelledby="preview-title" className="sheet grid gap-3 p-4" tabIndex={-1}>
      <h2 id="preview-title">Not saved yet: this is what it comes to</h2>
      <p>{`${words}, on the clock of ${timeZone.replaceAll('_', ' ')}.`}</p>
      {doses.length === 0 ? (
        <p>This schedule has no doses. Look at its days and its last day.</p>
      ) : (
        <DoseTable caption="The first doses" doses={doses} />
      )}
      {phases.length > 0 ? <PhaseTable phases={phases} /> : null}
    </section>
  );
}
