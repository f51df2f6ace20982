import { Link } from '@remix-run/react';
import { useForm, type SubmissionResult } from '@conform-to/react';
import { UploadForm } from '#app/ui/upload-form.tsx';
import { effectHref } from './side-effect-row.ts';
import { fieldProps, SchemaForm } from '#app/ui/forms/schema-form.tsx';
import { LinkButton, Submit } from '#app/ui/button.tsx';
import { Field } from '#app/ui/fields.tsx';
import { Measured } from '#app/ui/figure.tsx';

/** A picture on the page. */
interface PictureRow {
  id: string;
  width: number;
  height: number;
  added: string;
}

interface ResolveFormProps {
  action: string;
  cancelHref: string;
  /** Now, as the control holds it. */
  resolvedDate: string;
  lastResult?: SubmissionResult<string[]> | null;
}

/** Asks when a side effect ended. */
export function ResolveForm({ action, cancelHref, resolvedDate, lastResult }: ResolveFormProps) {
  const [form, fields] = useForm<{ resolvedDate: string }>({
    id: 'resolve',
    lastResult,
    defaultValue: { resolvedDate },
  });
  return (
    <SchemaForm form={form} action={action} className="grid max-w-md gap-4">
      <Field {...fieldProps(fields.resolvedDate)} label="Ended" type="datetime-local" />
      <div className="flex flex-wrap gap-3">
        <Submit label="Save" action={action} />
        <LinkButton to={cancelHref}>Cancel</LinkButton>
      </div>
    </SchemaForm>
  );
}

/** Everything of one side effect as texts. */
interface EffectDetail {
  id: string;
  name: string;
  isOver: boolean;
  facts: { label: string; value: string }[];
  notes: string | null;
  pictures: PictureRow[];
  /** Another picture can be added. */
  canAdd: boolean;
}

/** One side effect with its pictures and actions. */
export function EffectView({ effect, error }: { effect: EffectDetail; error?: string }) {
  const { id, name, pictures, canAdd } = effect;
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
            Mark as resolved
          </LinkButton>
        )}
        <LinkButton to={effectHref(effect.id, 'edit')}>Edit</LinkButton>
        <LinkButton to={effectHref(effect.id, 'delete')} variant="danger">
          Delete
        </LinkButton>
      </div>
      <section aria-labelledby="pictures-title" className="mt-8">
        <h2 id="pictures-title">Pictures</h2>
        {pictures.length > 0 ? (
          <ul className="picture-list mt-3">
            {pictures.map((picture, index) => (
              <li key={picture.id}>
                <a href={effectHref(id, `images/${picture.id}`)}>
                  <img
                    src={effectHref(id, `images/${picture.id}`)}
                    alt={`${name}, ${index + 1} of ${pictures.length}`}
                    width={picture.width}
                    height={picture.height}
                    loading="lazy"
                  />
                </a>
                <span className="text-sm text-soft">{picture.added}</span>
                <Link
                  to={effectHref(id, `images/${picture.id}/delete`)}
                  className="btn btn-plain no-print px-0 text-danger"
                  aria-label={`Delete picture ${index + 1}`}
                >
                  Delete
                </Link>
              </li>
            ))}
          </ul>
        ) : null}
        {canAdd ? (
          <UploadForm
            action={effectHref(id, 'images')}
            name="image"
            label="Add a picture"
            hint="JPEG, PNG or WebP, up to 5 MB. Location and camera data are removed. Only you can see it."
            accept="image/jpeg,image/png,image/webp"
            button="Add picture"
            error={error}
          />
        ) : (
          <p className="mt-3">You can add up to ten pictures. Delete one to add another.</p>
        )}
      </section>
    </>
  );
}
