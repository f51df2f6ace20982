import type { VialLabelTexts } from '#app/domain/vials/vial-texts.ts';
import { QrCode, type QrCodeProps } from '#app/ui/qr-code.tsx';
import { LinkButton } from '#app/ui/button.tsx';
import { PrintButton } from '#app/ui/print-page.tsx';

interface VialLabelProps {
  label: VialLabelTexts;
  qr: Omit<QrCodeProps, 'label'>;
  backHref: string;
}

/** A printable label for a vial. Its QR code opens the vial's page. */
export function VialLabel({ label, qr, backHref }: VialLabelProps) {
  return (
    <main className="report mx-auto max-w-2xl px-4 py-8">
      <div className="no-print mb-6 grid gap-3">
        <h1>Label</h1>
        <p className="text-soft">Print this page: only the label is printed.</p>
        <div className="flex flex-wrap gap-3">
          <PrintButton />
          <LinkButton to={backHref}>Back to the vial</LinkButton>
        </div>
      </div>
      <div className="vial-label">
        <QrCode {...qr} label="QR code of this vial’s page" />
        <div className="min-w-0">
          <p className="vial-label-name">{label.name}</p>
          <p className="figure whitespace-normal">{label.contents}</p>
          <dl>
            {label.lines.map(([name, text]) => (
              <div key={name}>
                <dt>{`${name} `}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </div>
      </div>
    </main>
  );
}
