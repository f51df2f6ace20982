import { Form } from '@remix-run/react';
import { Button } from '#app/ui/button.tsx';
import { CodeField } from './account-fields.tsx';
import { useSite } from '#app/ui/site.ts';

interface ProviderButtonsProps {
  use: 'sign-in' | 'link' | 'confirm';
  /** Further fields to send along, without those that are absent. */
  fields?: Readonly<Record<string, string | undefined>>;
  /** The providers to offer, by their ids; by default all. */
  only?: readonly string[];
  /** Whether a code of two-step sign-in is needed as well. */
  asksCode?: boolean;
}

const LABELS = { 'sign-in': 'Sign in with', link: 'Link', confirm: 'Confirm with' };

/** One button for each provider of sign-ins. It leads to another site, so the page is loaded as a whole. */
export function ProviderButtons({ use, fields = {}, only, asksCode }: ProviderButtonsProps) {
  const providers = useSite().providers.filter(({ id }) => only?.includes(id) ?? true);
  return providers.map(({ id, name }) => (
    <Form key={id} method="post" action={`/sign-in/${id}`} reloadDocument className="mt-3">
      {Object.entries({ use, ...fields }).map(([field, value]) =>
        value ? <input key={field} type="hidden" name={field} value={value} /> : null,
      )}
      {asksCode ? <CodeField field={{ id: `${id}-code`, name: 'code' }} /> : null}
      <Button className={use === 'sign-in' ? 'w-full' : undefined}>{`${LABELS[use]} ${name}`}</Button>
    </Form>
  ));
}

/** Offers to sign out of the provider, too, after signing out here. */
export function LeaveProvider({ provider: { id, name } }: { provider: { id: string; name: string } }) {
  return (
    <Form method="post" action={`/sign-in/${id}`} reloadDocument>
      <input type="hidden" name="use" value="sign-out" />
      <p>{`You are signed out here. You may still be signed in at ${name}.`}</p>
      <Button className="mt-3">{`Sign out of ${name}`}</Button>
    </Form>
  );
}
