import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

export type Tone = 'info' | 'success' | 'warning' | 'error';

export const TONE_ICON: Record<Tone, IconName> = {
  info: 'info',
  success: 'check',
  warning: 'warning',
  error: 'error',
};

interface NoticeProps {
  tone?: Tone;
  title?: string;
  children?: ReactNode;
  /** Announced when it appears: `alert` for a failure of what was just sent, `status` for the rest. */
  role?: 'alert' | 'status' | 'note';
  /** Buttons or links below the text. */
  actions?: ReactNode;
}

/** A boxed message. Icon and text carry the meaning; the colour only repeats it. */
export function Notice({ tone = 'info', title, children, role, actions }: NoticeProps) {
  return (
    <div role={role} className={`notice notice-${tone}`}>
      <Icon name={TONE_ICON[tone]} />
      <div className="min-w-0 flex-1">
        {title ? <p className="font-semibold">{title}</p> : null}
        {children}
        {actions ? <div className="mt-3 flex flex-wrap gap-3">{actions}</div> : null}
      </div>
    </div>
  );
}
