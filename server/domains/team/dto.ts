import { isoMicros } from "@/server/core/time";
import type { Invitation, Member } from "./contract";

interface SiteColumns {
  site_id: number | null;
  site_name: string | null;
  site_domain: string | null;
}

export interface MemberRow extends SiteColumns {
  id: number;
  name: string;
  email: string;
  is_active: boolean;
  is_agent_only: boolean;
  allowed_modules: string[] | null;
  two_factor: boolean;
  last_seen_at: Date | null;
  created_at: Date;
}

export interface InvitationRow extends SiteColumns {
  id: number;
  name: string;
  email: string;
  allowed_modules: string[] | null;
  created_at: Date;
  expires_at: Date;
}

export function memberOf({ site_id, site_name, site_domain, ...row }: MemberRow): Member {
  return {
    ...row,
    site: siteOf({ site_id, site_name, site_domain }),
    last_seen_at: row.last_seen_at && isoMicros(row.last_seen_at),
    created_at: isoMicros(row.created_at),
  };
}

export function invitationOf({ site_id, site_name, site_domain, ...row }: InvitationRow): Invitation {
  return {
    ...row,
    site: siteOf({ site_id, site_name, site_domain }),
    created_at: isoMicros(row.created_at),
    expires_at: isoMicros(row.expires_at),
    expired: row.expires_at.getTime() <= Date.now(),
  };
}

function siteOf({ site_id, site_name, site_domain }: SiteColumns): Member["site"] {
  return site_id === null ? null : { id: site_id, name: site_name!, domain: site_domain! };
}
