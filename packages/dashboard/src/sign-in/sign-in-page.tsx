import ui from '../ui/ui.module.css';
import { Sheet } from './sheet.tsx';
import { SignInForm } from './sign-in-form.tsx';

export function SignInPage({ brand }: { readonly brand: string }) {
  return (
    <Sheet brand={brand} title="Sign in to the dashboard">
      <div className={ui.stack}>
        <p className={`${ui.text} ${ui.muted}`}>There is no password. You get a link by email that signs you in.</p>
        <SignInForm />
      </div>
    </Sheet>
  );
}
