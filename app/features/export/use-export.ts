import { useNavigate } from '@remix-run/react';
import { useState, type FormEvent } from 'react';
import { EXPORT_FAILED as FAILED } from '#app/domain/export/export-failed.ts';

function fileName(response: Response): string | null {
  const header = response.headers.get('Content-Disposition') ?? '';
  return header.startsWith('attachment') ? (/filename="([^"]+)"/.exec(header)?.[1] ?? null) : null;
}

function saveAs(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser has taken the file over by the next task.
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
}

/**
 * With scripts the form stays while the file is made ('Exporting...') and the dialog closes when it is there. A page
 * instead of a file (nothing found, a wrong date) is the server's to show: the form is sent again as it is. The print
 * report opens in a window of its own.
 */
export function useExport(closeHref: string) {
  const [exporting, setExporting] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const navigate = useNavigate();

  const fetchFile = async (form: HTMLFormElement) => {
    setExporting(true);
    setError(null);
    try {
      const response = await fetch(form.action, { method: 'POST', body: new FormData(form) });
      const name = fileName(response);
      if (!response.ok || !name) {
        form.submit();
        return;
      }
      saveAs(await response.blob(), name);
      navigate(closeHref);
    } catch {
      setError(FAILED);
    } finally {
      setExporting(false);
    }
  };

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const form = event.currentTarget;
    form.target = new FormData(form).get('format') === 'pdf' ? '_blank' : '';
    if (form.target) return;
    event.preventDefault();
    void fetchFile(form);
  };

  return { exporting, error, onSubmit };
}
