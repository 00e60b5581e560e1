import { Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { useNotify } from './toasts.tsx';

interface CopyButtonProps {
  readonly text: string;
  /** Names the text, as the beginning of a sentence. */
  readonly name: string;
  readonly look?: 'primary';
  readonly children: ReactNode;
}

export function CopyButton({ text, name, look, children }: CopyButtonProps) {
  const notify = useNotify();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      notify.done('Copied.');
    } catch {
      // No permission, or plain HTTP.
      notify.failed(new Error(`Copying failed. ${name} is ${text}`));
    }
  };
  return (
    <Button {...(look && { look })} onClick={() => void copy()}>
      <Copy aria-hidden />
      {children}
    </Button>
  );
}
