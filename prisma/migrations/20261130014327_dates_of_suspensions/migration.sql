-- Older suspensions have a date if the audit log still has their entry, with the same reason and no activation after it.
UPDATE "sites" s SET "suspended_at" = e."at"
  FROM (SELECT DISTINCT ON ("object_id") "object_id", "action", "at", "details" ->> 'reason' AS "reason"
          FROM "audit_events"
         WHERE "object_type" = 'Site' AND "action" IN ('site.suspended', 'site.activated', 'site.restored')
         ORDER BY "object_id", "id" DESC) AS e
 WHERE e."object_id" = s."id"::text AND e."action" = 'site.suspended' AND e."reason" = s."suspended_reason"::text
   AND NOT s."is_active" AND s."deleted_at" IS NULL;
UPDATE "sites" SET "suspended_by" = 'administrator' WHERE "suspended_reason" = 'administrator';
