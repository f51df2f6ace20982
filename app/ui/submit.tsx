import { useNavigation } from '@remix-run/react';
import { Button, type ButtonVariant } from './button.tsx';

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
