import { useNavigation, Link, type LinkProps } from '@remix-run/react';
import { type RefObject, useRef, type ComponentProps, type MouseEvent, useState } from 'react';
import { Icon } from './icon.tsx';
import { useHydrated } from './hydration.ts';

/**
 * True while the form around this button is being sent: from the click until the next page, or the same page with its
 * messages, is shown. A GET form may be sent again at any time.
 */
function useSending(button: RefObject<HTMLButtonElement>): boolean {
  const { state, formAction, formMethod } = useNavigation();
  if (state === 'idle' || formAction === undefined || formMethod === 'GET') return false;
  const { current } = button;
  const action = current?.getAttribute('formaction') ?? current?.form?.getAttribute('action');
  return action === formAction;
}

/** `primary`: a screen's one main action; `plain`: no box; `danger`: destroys something. */
type ButtonVariant = 'primary' | 'quiet' | 'plain' | 'danger';

const CLASS: Record<ButtonVariant, string> = {
  primary: 'btn btn-primary',
  quiet: 'btn',
  plain: 'btn btn-plain',
  danger: 'btn btn-danger',
};

function classes(variant: ButtonVariant, extra?: string): string {
  return extra ? `${CLASS[variant]} ${extra}` : CLASS[variant];
}

/** A submit button unless `type` says otherwise. While its form is being sent, clicking it again does nothing. */
export function Button({
  variant = 'quiet',
  className,
  type = 'submit',
  onClick,
  ...rest
}: ComponentProps<'button'> & { variant?: ButtonVariant }) {
  const button = useRef<HTMLButtonElement>(null);
  const isSending = useSending(button) && type === 'submit';
  const handleClick = (event: MouseEvent<HTMLButtonElement>) => {
    if (isSending) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      ref={button}
      type={type}
      className={classes(variant, className)}
      {...rest}
      aria-disabled={isSending || undefined}
      data-busy={isSending || undefined}
      onClick={handleClick}
    />
  );
}

/** A link that looks like a button. It must not change anything. */
export function LinkButton({
  variant = 'quiet',
  className,
  ...rest
}: LinkProps & { variant?: ButtonVariant; className?: string }) {
  return <Link className={classes(variant, className)} {...rest} />;
}

interface SubmitProps {
  label: string;
  pendingLabel?: string;
  /** The form's own address, which distinguishes it from the page's other forms. */
  action: string;
  variant?: ButtonVariant;
}

/** A form's button. While any form of the page is being sent, it is disabled; during its own, it shows `pendingLabel`. */
export function Submit({ label, pendingLabel = 'Saving...', action, variant = 'primary' }: SubmitProps) {
  const { state, formAction } = useNavigation();
  const isBusy = state !== 'idle' && formAction !== undefined;
  return (
    <Button variant={variant} disabled={isBusy}>
      {isBusy && formAction === action ? pendingLabel : label}
    </Button>
  );
}

/** Copies `text` to the clipboard. Hidden without scripts; the text can still be selected. */
export function CopyButton({
  text,
  label = 'Copy',
  variant,
  className = '',
}: {
  text: string;
  label?: string;
  variant?: ButtonVariant;
  className?: string;
}) {
  const [copied, setCopied] = useState<'no' | 'yes' | 'failed'>('no');
  if (!useHydrated()) return null;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied('yes');
    } catch {
      setCopied('failed');
    }
    setTimeout(() => setCopied('no'), 2000);
  };
  return (
    <Button type="button" variant={variant} onClick={copy} className={`no-print ${className}`}>
      <Icon name={copied === 'yes' ? 'check' : 'copy'} size={16} />
      <span aria-live="polite">
        {copied === 'yes' ? 'Copied' : copied === 'failed' ? 'Select the text and copy it' : label}
      </span>
    </Button>
  );
}
