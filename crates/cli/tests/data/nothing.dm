// Only a remark.
