import type { IdentityProvider } from "@/server/domains/access/identities/contract";

export function ProviderLogo({ provider }: { provider: IdentityProvider }) {
  return provider === "google" ? <GoogleLogo /> : <AppleLogo />;
}

function GoogleLogo() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden focusable="false" className="size-4.5 shrink-0">
      <path
        fill="#4285F4"
        d="M23.5 12.3c0-.8-.1-1.6-.2-2.3H12v4.5h6.5a5.5 5.5 0 0 1-2.4 3.6v3h3.9c2.2-2.1 3.5-5.2 3.5-8.8z"
      />
      <path
        fill="#34A853"
        d="M12 24c3.2 0 6-1.1 7.9-2.9l-3.9-3a7.2 7.2 0 0 1-10.7-3.8H1.3v3.1A12 12 0 0 0 12 24z"
      />
      <path fill="#FBBC05" d="M5.3 14.3a7.2 7.2 0 0 1 0-4.6V6.6h-4a12 12 0 0 0 0 10.8z" />
      <path
        fill="#EA4335"
        d="M12 4.8c1.8 0 3.4.6 4.6 1.8l3.5-3.5A12 12 0 0 0 1.3 6.6l4 3.1A7.2 7.2 0 0 1 12 4.8z"
      />
    </svg>
  );
}

function AppleLogo() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden focusable="false" className="size-4.5 shrink-0 fill-current">
      <path d="M17.05 12.54c-.03-2.85 2.33-4.22 2.43-4.29-1.33-1.94-3.39-2.2-4.12-2.23-1.75-.18-3.42 1.03-4.31 1.03-.89 0-2.26-1-3.72-.98-1.91.03-3.68 1.11-4.66 2.82-1.99 3.45-.51 8.56 1.43 11.36.95 1.37 2.08 2.91 3.56 2.85 1.43-.06 1.97-.92 3.7-.92s2.22.92 3.73.89c1.54-.03 2.52-1.4 3.46-2.77 1.09-1.59 1.54-3.13 1.57-3.21-.04-.02-3.01-1.15-3.04-4.58z" />
      <path d="M14.2 4.15c.79-.96 1.32-2.29 1.18-3.61-1.14.05-2.51.76-3.33 1.71-.73.85-1.37 2.2-1.2 3.5 1.27.1 2.56-.65 3.35-1.6z" />
    </svg>
  );
}
