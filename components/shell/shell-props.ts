import type { ReactNode } from "react";
import type { MenuLabels, Viewer } from "@/components/navigation/menu";
import type { BrandLook } from "@/components/ui/logo";
import type { Theme } from "@/components/ui/preference";
import type { Locale } from "@/server/core/locale";
import type { Banners } from "./banner-stack";
import type { LanguageNames } from "./language-switch";

interface ShellUser {
  name: string;
  email: string;
  avatarUrl?: string | null;
}

export interface ShellFrameProps {
  brand: BrandLook;
  user: ShellUser;
  viewer: Viewer;
  /** Own menu names by key, already resolved by the server. */
  labels?: MenuLabels;
  /** Stands in the top bar. */
  credits?: ReactNode;
  theme: Theme;
  /** From the cookie `menu`. */
  collapsed?: boolean;
  banners?: Banners;
  /** Stays in view above the top bar while there is no connection. */
  offline?: ReactNode;
  /** Server actions or functions of a client component. */
  onSignOut: () => void | Promise<void>;
  onLocaleChange?: (locale: Locale) => void | Promise<void>;
  languages: LanguageNames;
  children: ReactNode;
}
