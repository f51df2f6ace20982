import { useSubmit } from '@remix-run/react';
import { useEffect, useState, type MouseEvent, type ReactNode } from 'react';
import { Button } from '#app/ui/button.tsx';

/** What the passkey is for: signing in, the second step of sign-in, confirming your identity, or adding a new one. */
type PasskeyUse = 'sign-in' | 'second-step' | 'confirm' | 'add';

interface PasskeyButtonProps {
  use: PasskeyUse;
  label: string;
  /** Shown without scripts, or if the browser does not support passkeys. */
  otherwise?: ReactNode;
}

/** Passkeys need a host name, not a bare network address, and https except on this machine. */
function isSupported(): boolean {
  return (
    window.isSecureContext &&
    typeof window.PublicKeyCredential === 'function' &&
    !/^[\d.]+$|:/.test(window.location.hostname)
  );
}

/**
 * Asks the authenticator. The library is loaded on the first click, because few visitors need it.
 * @returns its answer; null when the page is reloaded instead
 */
async function askAuthenticator(use: PasskeyUse): Promise<string | null> {
  const response = await fetch('/passkey/options', { method: 'POST', body: new URLSearchParams({ use }) });
  // Signed out, or signed in too long ago: the reloaded page says what to do first.
  if (response.redirected) {
    window.location.reload();
    return null;
  }
  if (!response.ok) throw new Error(response.status === 429 ? (await response.text()).trim() : '');
  const optionsJSON: unknown = await response.json();
  const { startAuthentication, startRegistration } = await import('@simplewebauthn/browser');
  type Creation = Parameters<typeof startRegistration>[0]['optionsJSON'];
  type Request = Parameters<typeof startAuthentication>[0]['optionsJSON'];
  const answer =
    use === 'add'
      ? await startRegistration({ optionsJSON: optionsJSON as Creation })
      : await startAuthentication({ optionsJSON: optionsJSON as Request });
  return JSON.stringify(answer);
}

function failureText(error: unknown, use: PasskeyUse): string {
  const { name, message } = error instanceof Error ? error : new Error();
  if (name === 'InvalidStateError') return 'This device already has a passkey for your account.';
  if (message.startsWith('Too many attempts')) return message;
  if (use === 'add') return 'No passkey was created. Please try again.';
  return `No passkey was used. Try again, or use your ${use === 'second-step' ? 'code' : 'password'}.`;
}

/**
 * Submits its form with a passkey instead of the password or the code. Shown only where scripts run and the browser
 * supports passkeys; everywhere else the form's own fields do the same.
 */
export function PasskeyButton({ use, label, otherwise = null }: PasskeyButtonProps) {
  const submit = useSubmit();
  const [isShown, setShown] = useState<boolean | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => setShown(isSupported()), []);
  // Until support is known, reserve the space, so that the page does not jump.
  if (isShown === null && otherwise === null)
    return (
      <span aria-hidden="true" className="btn invisible needs-scripts">
        {label}
      </span>
    );
  if (isShown !== true) return <>{otherwise}</>;

  const press = async (form: HTMLFormElement | null) => {
    if (form === null || isAsking) return;
    setAsking(true);
    setFailure(null);
    try {
      const answer = await askAuthenticator(use);
      if (answer === null) return;
      const data = new FormData(form);
      for (const secret of ['password', 'code']) data.delete(secret);
      data.set('intent', 'passkey');
      data.set('passkey', answer);
      submit(data, { method: 'post', action: form.getAttribute('action') ?? undefined });
    } catch (error) {
      setFailure(failureText(error, use));
    } finally {
      setAsking(false);
    }
  };
  return (
    <>
      <Button
        type="button"
        variant={use === 'add' ? 'primary' : 'quiet'}
        aria-disabled={isAsking || undefined}
        onClick={(event: MouseEvent<HTMLButtonElement>) => void press(event.currentTarget.form)}
      >
        {isAsking ? 'Waiting for your passkey...' : label}
      </Button>
      {failure === null ? null : (
        <p role="alert" className="text-sm">
          {failure}
        </p>
      )}
    </>
  );
}
