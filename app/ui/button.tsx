import { useNavigation, Link, type LinkProps } from '@remix-run/react';
import { type RefObject, useRef, type ComponentProps, type MouseEvent } from 'react';

/**
 * True while the form around this button is on its way: from the press until the next page, or the same one with its
 * messages, is there. A form that only asks (GET) may be asked again at any time.
 */
function useSending(button: RefObject<HTMLButtonElement>): boolean {
  const { state, formAction, formMethod } = useNavigation();
  if (state === 'idle' || formAction === undefined || formMethod === 'GET') return false;
  const { current } = button;
  const action = current?.getAttribute('formaction') ?? current?.form?.getAttribute('action');
  return action === formAction;
}

/** `primary`: the one main action of a screen; `plain`: no box; `danger`: destroys something, apart from the rest. */
export type ButtonVariant = 'primary' | 'quiet' | 'plain' | 'danger';

const CLASS: Record<ButtonVariant, string> = {
  primary: 'btn btn-primary',
  quiet: 'btn',
  plain: 'btn btn-plain',
  danger: 'btn btn-danger',
};

function classes(variant: ButtonVariant, extra?: string): string {
  return extra ? `${CLASS[variant]} ${extra}` : CLASS[variant];
}

/** A submit button unless `type` says otherwise. While its form is on its way, pressing it again does nothing. */
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

/** A link that looks like a button: it goes somewhere and changes nothing. */
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
  /** The form's own address, by which it is told from the others of the page. */
  action: string;
  variant?: ButtonVariant;
}

/** A form's button: it says when the form is on its way, and no form of the page can be sent meanwhile. */
export function Submit({ label, pendingLabel = 'Saving...', action, variant = 'primary' }: SubmitProps) {
  const { state, formAction } = useNavigation();
  const isBusy = state !== 'idle' && formAction !== undefined;
  return (
    <Button variant={variant} disabled={isBusy}>
      {isBusy && formAction === action ? pendingLabel : label}
    </Button>
  );
}
