import { Link, Form } from '@remix-run/react';
import { SITES, type SiteId } from '#app/domain/tracking/sites.ts';
import { LinkButton, Submit } from '#app/ui/button.tsx';
import { ErrorSummary } from '#app/ui/error-summary.tsx';

/** The suggested next site, and why. */
export function NextSite({ title, reason }: { title: string; reason: string }) {
  return (
    <section className="next-site" aria-label="Next site">
      <p>Next site</p>
      <p className="next-site-name">{title}</p>
      <p>
        {reason}{' '}
        <Link to="/dashboard/tracking/site-choice" className="inline-block py-1">
          Choose your sites
        </Link>
      </p>
    </section>
  );
}

const ACTION = '/dashboard/tracking/site-choice';

/** Which of the sites a person uses. */
export function SiteChoiceForm({ on, error }: { on: readonly SiteId[]; error?: string }) {
  return (
    <Form method="post" action={ACTION} className="grid max-w-2xl gap-4">
      <p>Only the sites you select are offered and suggested. Injections logged at other sites are kept.</p>
      <ErrorSummary errors={error ? [error] : undefined} />
      <fieldset>
        <legend className="mb-1 font-semibold">Sites you use</legend>
        <div className="grid sm:grid-cols-2">
          {SITES.map(({ id, name }) => (
            <label key={id} className="choice">
              <input type="checkbox" name="sites" value={id} defaultChecked={on.includes(id)} />
              {name}
            </label>
          ))}
        </div>
      </fieldset>
      <div className="flex flex-wrap gap-3">
        <Submit label="Save" action={ACTION} />
        <LinkButton to="/dashboard/tracking">Cancel</LinkButton>
      </div>
    </Form>
  );
}
