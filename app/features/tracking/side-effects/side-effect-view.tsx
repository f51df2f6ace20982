import { LinkButton } from '#app/ui/button.tsx';
import { Measured } from '#app/ui/measurement.tsx';
import { effectHref } from './side-effect-row.ts';
import { Pictures, type PictureRow } from './pictures.tsx';

/** Everything of one side effect as texts. */
export interface EffectDetail {
  id: string;
  name: string;
  isOver: boolean;
  facts: { label: string; value: string }[];
  notes: string | null;
  pictures: PictureRow[];
  /** There is room for another. */
  canAdd: boolean;
}

/** One side effect: what is known of it, its pictures, what can be done. */
export function EffectView({ effect, error }: { effect: EffectDetail; error?: string }) {
  return (
    <>
      <dl className="sheet fact-list">
        {effect.facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <Measured text={value} />
            </dd>
          </div>
        ))}
        {effect.notes ? (
          <div>
            <dt>Notes</dt>
            <dd className="whitespace-pre-line">{effect.notes}</dd>
          </div>
        ) : null}
      </dl>
      <div className="no-print mt-4 flex flex-wrap gap-3">
        {effect.isOver ? null : (
          <LinkButton to={effectHref(effect.id, 'resolve')} variant="primary">
            It is over
          </LinkButton>
        )}
        <LinkButton to={effectHref(effect.id, 'edit')}>Edit</LinkButton>
        <LinkButton to={effectHref(effect.id, 'delete')} variant="danger">
          Delete
        </LinkButton>
      </div>
      <Pictures effect={effect} error={error} />
    </>
  );
}
