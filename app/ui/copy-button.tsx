import { useState } from 'react';
import { Button, type ButtonVariant } from './button.tsx';
import { Icon } from './icon.tsx';
import { useHydrated } from './hydration.ts';

/** Copies `text` to the clipboard. Without scripts it is not there: the text itself can be selected. */
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
        {copied === 'yes' ? 'Copied' : copied === 'failed' ? 'Select the line and copy it' : label}
      </span>
    </Button>
  );
}
