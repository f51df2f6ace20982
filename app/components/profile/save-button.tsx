import { useNavigation } from '@remix-run/react';
import { Button, type ButtonVariant } from '../ui/button.tsx';

interface SaveButtonProps {
  label: string;
  /** While this form, of several on the page, is on its way. */
  pendingLabel: string;
  /** The form's address, by which it is told from the others. */
  action: string;
  variant?: ButtonVariant;
}

export function SaveButton({ label, pendingLabel, action, variant = 'primary' }: SaveButtonProps) {
  const { state, formAction } = useNavigation();
  const busy = state !== 'idle';
  const pending = busy && formAction === action;
  return (
    <Button variant={variant} disabled={busy && formAction !== undefined}>
      {pending ? pendingLabel : label}
    </Button>
  );
}
