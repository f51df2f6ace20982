import { Link, type LinkProps } from '@remix-run/react';
import type { ComponentProps } from 'react';

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

/** A submit button unless `type` says otherwise. */
export function Button({
  variant = 'quiet',
  className,
  type = 'submit',
  ...rest
}: ComponentProps<'button'> & { variant?: ButtonVariant }) {
  return <button type={type} className={classes(variant, className)} {...rest} />;
}

/** A link that looks like a button: it goes somewhere and changes nothing. */
export function LinkButton({
  variant = 'quiet',
  className,
  ...rest
}: LinkProps & { variant?: ButtonVariant; className?: string }) {
  return <Link className={classes(variant, className)} {...rest} />;
}
