import { Link } from '@remix-run/react';
import { Confirmation } from '#app/ui/confirmation.tsx';
import { ProviderButtons } from '../provider-buttons.tsx';

/** A link with a provider as texts to show. */
export interface IdentityRow {
  id: string;
  name: string;
  email: string | null;
  created: string;
  /** Null if it was never used. */
  lastUsed: string | null;
}

const history = ({ email, created, lastUsed }: IdentityRow) =>
  [
    ...(email === null ? [] : [`As ${email}.`]),
    `Linked ${created}, ${lastUsed === null ? 'not used yet' : `last used ${lastUsed}`}.`,
  ].join(' ');

/** The account's links with other services, with buttons to add one. */
export function IdentityList({ identities }: { identities: readonly IdentityRow[] }) {
  return (
    <>
      <p className="text-soft">
        Sign in here as who you are there, instead of with a password. Two-step sign-in still asks for its
        code.
      </p>
      <ul>
        {identities.map((identity) => (
          <li
            key={identity.id}
            className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-3"
          >
            <div className="min-w-0 flex-1 basis-60">
              <p className="font-semibold wrap-anywhere">{identity.name}</p>
              <p className="text-sm wrap-anywhere text-soft">{history(identity)}</p>
            </div>
            <Link
              to={`/dashboard/profile/identities/${identity.id}/remove`}
              className="inline-flex min-h-11 items-center"
              aria-label={`Remove the link with ${identity.name}`}
            >
              Remove
            </Link>
          </li>
        ))}
      </ul>
      <ProviderButtons use="link" />
    </>
  );
}

/** The question before a link is removed. */
export function RemoveIdentity({ identity, action }: { identity: IdentityRow; action: string }) {
  return (
    <Confirmation
      title={`Remove the link with ${identity.name}?`}
      action={action}
      yes="Remove link"
      noHref="/dashboard/profile/security"
    >
      <p className="wrap-anywhere text-soft">{history(identity)}</p>
      <p className="text-soft">It will no longer sign you in.</p>
    </Confirmation>
  );
}
