-- Safe with the deployed Worker: it reads and writes the same rows.
CREATE INDEX `alarms_with_facts` ON `alarms` (`acknowledged_at`) WHERE "fields" <> '{}';
