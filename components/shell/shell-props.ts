import type { ReactNode } from "react";
import type { MenuLabels, Viewer } from "@/components/navigation/menu";
import type { BrandProps } from "@/components/ui/logo";
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
  brand: BrandProps;
  user: ShellUser;
  viewer: Viewer;
  labels?: MenuLabels;
  credits?: ReactNode;
  theme: Theme;
  /** Whether the side menu is collapsed, from the cookie `menu`. */
  collapsed?: boolean;
  banners?: Banners;
  offlineBanner?: ReactNode;
  onSignOut: () => void | Promise<void>;
  onLocaleChange?: (locale: Locale) => void | Promise<void>;
  languages: LanguageNames;
  children: ReactNode;
}
