import { Link, Form } from '@remix-run/react';
import { Button, Submit } from '#app/ui/button.tsx';
import { ErrorSummary, fieldsToFix } from '#app/ui/error-summary.tsx';
import { Field } from '#app/ui/fields.tsx';

/** Template names, each a link that fills in the form. */
export function TemplateLinks({ names, chosen }: { names: readonly string[]; chosen: string }) {
  return (
    <nav aria-label="Templates" className="mb-5">
      <p className="mb-1 text-sm text-soft">Templates</p>
      <ul className="chips">
        {names.map((name) => (
          <li key={name}>
            <Link
              to={`/dashboard/tracking/side-effects/new?name=${encodeURIComponent(name)}`}
              className="chip"
              aria-current={name === chosen ? 'true' : undefined}
              preventScrollReset
            >
              {name}
            </Link>
          </li>
        ))}
        <li>
          <Link to="/dashboard/tracking/side-effects/templates" className="chip chip-plain">
            Your own templates
          </Link>
        </li>
      </ul>
    </nav>
  );
}

const ACTION = '/dashboard/tracking/side-effects/templates';

interface TemplateListProps {
  own: readonly string[];
  builtIn: readonly string[];
  /** What was wrong with the name that was sent. */
  error?: string;
  name?: string;
}

/** The user's own template names. */
export function TemplateList({ own, builtIn, error, name }: TemplateListProps) {
  return (
    <div className="grid max-w-2xl gap-6">
      <Form key={own.length} method="post" action={ACTION} className="grid gap-3">
        <ErrorSummary errors={undefined} fields={fieldsToFix({ name: error })} />
        <Field name="name" label="New template" maxLength={100} defaultValue={name} error={error} />
        <div>
          <input type="hidden" name="intent" value="add" />
          <Submit label="Add template" action={ACTION} />
        </div>
      </Form>
      <section aria-labelledby="own-templates">
        <h2 id="own-templates">Your own</h2>
        {own.length === 0 ? (
          <p className="text-soft">None yet. Add names you use often so that you do not have to type them.</p>
        ) : (
          <ul className="sheet mt-2 divide-y divide-line">
            {own.map((template) => (
              <li key={template} className="flex items-center justify-between gap-3 px-4">
                <span className="min-w-0 break-words">{template}</span>
                <Form method="post" action={ACTION}>
                  <input type="hidden" name="intent" value="remove" />
                  <input type="hidden" name="name" value={template} />
                  <Button variant="plain" className="text-danger" aria-label={`Remove ${template}`}>
                    Remove
                  </Button>
                </Form>
              </li>
            ))}
          </ul>
        )}
      </section>
      <section aria-labelledby="built-in-templates">
        <h2 id="built-in-templates">Built in</h2>
        <p>{builtIn.join(', ')}</p>
      </section>
    </div>
  );
}
