/** The target that printers align their plates with. */
export function RegistrationMark({ className = '' }: { className?: string }) {
  return (
    <svg className={`registration-mark ${className}`.trim()} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d="M12 0v24M0 12h24" />
      <circle cx="12" cy="12" r="7" />
    </svg>
  );
}
