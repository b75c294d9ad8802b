/** Fields of every record that audit entries omit. */
export const STAMPS = new Set(['id', 'version', 'created_at', 'created_by', 'updated_at', 'updated_by'])
