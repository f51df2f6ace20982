import { Link } from '@remix-run/react';
import { LinkButton } from '#app/ui/button.tsx';
import { Confirmation } from '#app/ui/confirmation.tsx';

/** A passkey as texts to show. */
export interface PasskeyRow {
  id: string;
  name: string;
  isSynced: boolean;
  created: string;
  /** Null if it was never used. */
  lastUsed: string | null;
}

const PASSKEYS = '/dashboard/profile/passkeys';

const history = ({ isSynced, created, lastUsed }: PasskeyRow) =>
  [
    isSynced ? 'On several of your devices.' : 'On one device.',
    `Added ${created}, ${lastUsed === null ? 'not used yet' : `last used ${lastUsed}`}.`,
  ].join(' ');

/** The account's passkeys, with a link to add one. */
export function PasskeyList({ passkeys }: { passkeys: readonly PasskeyRow[] }) {
  return (
    <>
      <p className="text-soft">
        A passkey signs you in with your fingerprint, your face or your device’s PIN instead of a password. It
        also replaces the code of two-step sign-in.
      </p>
      {passkeys.length === 0 ? null : (
        <ul>
          {passkeys.map((passkey) => (
            <li
              key={passkey.id}
              className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-3"
            >
              <div className="min-w-0 flex-1 basis-60">
                <p className="font-semibold wrap-anywhere">{passkey.name}</p>
                <p className="text-sm text-soft">{history(passkey)}</p>
              </div>
              <Link
                to={`${PASSKEYS}/${passkey.id}/remove`}
                className="inline-flex min-h-11 items-center"
                aria-label={`Remove the passkey ${passkey.name}`}
              >
                Remove
              </Link>
            </li>
          ))}
        </ul>
      )}
      <div className="mt-3">
        <LinkButton to={`${PASSKEYS}/new`}>Add a passkey</LinkButton>
      </div>
    </>
  );
}

/** The question before a passkey is removed. */
export function RemovePasskey({ passkey, action }: { passkey: PasskeyRow; action: string }) {
  return (
    <Confirmation
      title="Remove this passkey?"
      action={action}
      yes="Remove passkey"
      noHref="/dashboard/profile/security"
    >
      <p className="font-semibold wrap-anywhere">{passkey.name}</p>
      <p className="text-soft">{history(passkey)}</p>
      <p className="text-soft">
        It will no longer sign you in. Your device may keep offering it until you delete it there too.
      </p>
    </Confirmation>
  );
}
