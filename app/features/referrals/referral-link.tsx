import { Form } from '@remix-run/react';
import { Button } from '#app/ui/button.tsx';
import { CopyButton } from '#app/ui/copy-button.tsx';
import { QrCode, type QrCodeProps } from '#app/ui/qr-code.tsx';

interface ReferralLinkProps {
  code: string;
  link: string;
  qr: Omit<QrCodeProps, 'label'>;
}

/** The account's own link, to copy, to scan, or to say over the phone. */
export function ReferralLink({ code, link, qr }: ReferralLinkProps) {
  return (
    <div className="flex flex-wrap gap-6">
      <div className="grid min-w-0 flex-1 basis-72 content-start gap-4">
        <div>
          <p className="text-sm text-soft">Link</p>
          <p className="figure break-all whitespace-normal">{link}</p>
        </div>
        <div>
          <p className="text-sm text-soft">Code</p>
          <p className="figure text-2xl">{code}</p>
        </div>
        <div>
          <CopyButton text={link} label="Copy the link" />
        </div>
      </div>
      <QrCode {...qr} label="QR code of your link" />
    </div>
  );
}

/** A text to send with the link. */
export function ShareText({ text }: { text: string }) {
  return (
    <div className="grid gap-3">
      <blockquote className="margin-rule max-w-prose break-words ps-4">{text}</blockquote>
      <div>
        <CopyButton text={text} label="Copy the text" />
      </div>
    </div>
  );
}

/** For an account that has no link yet. */
export function MakeLink() {
  return (
    <Form method="post" action="/dashboard/referrals" className="grid gap-3">
      <p>You have no link yet.</p>
      <div>
        <Button variant="primary">Make my link</Button>
      </div>
    </Form>
  );
}
