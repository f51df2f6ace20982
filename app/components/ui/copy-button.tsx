import { useState } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { useHydrated } from './use-hydrated.ts';

/** Copies `text` to the clipboard. Without scripts it is not there: the text itself can be selected. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
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
    <Button type="button" onClick={copy} className="no-print">
      <Icon name={copied === 'yes' ? 'check' : 'copy'} size={16} />
      <span aria-live="polite">
        {copied === 'yes' ? 'Copied' : copied === 'failed' ? 'Select the line and copy it' : label}
      </span>
    </Button>
  );
}
