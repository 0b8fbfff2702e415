/* The promise of binary compatibility where pointers have 32 bits: loop/abi.c is for 64 bits and says what this is.
 *
 * Of 32-bit processors, i386 aligns 64-bit numbers to 4 bytes, and the others to 8. The numbers are those of Linux, for
 * programs with large files (_FILE_OFFSET_BITS=64), as libuv itself is compiled: without them, uv_fs_t is 4 bytes
 * smaller on i386, and the library does not use these. */
#include "loop/abi.h"

#if UINTPTR_MAX == UINT32_MAX && defined(__linux__)

#ifdef __i386__
#define ABI_I386_OR_ALIGNED(i386, aligned) (i386)
#else
#define ABI_I386_OR_ALIGNED(i386, aligned) (aligned)
#endif
#define ABI_LONG_ALIGN ABI_I386_OR_ALIGNED(4, 8)
#ifdef __GLIBC__
#define ABI_HOST_MAX 1025
#define ABI_GETNAMEINFO_SIZE 1256
#define ABI_COND_ALIGN ABI_LONG_ALIGN
#define ABI_FS_SIZE ABI_I386_OR_ALIGNED(sizeof(off_t) == 8 ? 292 : 288, 296)
#else
#define ABI_HOST_MAX 255
#define ABI_GETNAMEINFO_SIZE 484
#define ABI_COND_ALIGN 4
#define ABI_FS_SIZE ABI_I386_OR_ALIGNED(292, 296)
#endif

ABI_SIZE(uv_loop_t, ABI_I386_OR_ALIGNED(464, 472), ABI_LONG_ALIGN);
ABI_SIZE(uv_handle_t, 48, 4);
ABI_SIZE(uv_dir_t, 28, 4);
ABI_SIZE(uv_stream_t, 132, 4);
ABI_SIZE(uv_tcp_t, 132, 4);
ABI_SIZE(uv_udp_t, 112, 4);
ABI_SIZE(uv_pipe_t, 140, 4);
ABI_SIZE(uv_tty_t, 196, 4);
ABI_SIZE(uv_poll_t, 84, 4);
ABI_SIZE(uv_timer_t, 88, ABI_LONG_ALIGN);
ABI_SIZE(uv_prepare_t, 60, 4);
ABI_SIZE(uv_check_t, 60, 4);
ABI_SIZE(uv_idle_t, 60, 4);
ABI_SIZE(uv_async_t, 64, 4);
ABI_SIZE(uv_process_t, 68, 4);
ABI_SIZE(uv_fs_event_t, 68, 4);
ABI_SIZE(uv_fs_poll_t, 52, 4);
ABI_SIZE(uv_signal_t, 80, 4);
ABI_SIZE(uv_req_t, 32, 4);
ABI_SIZE(uv_getaddrinfo_t, 80, 4);
ABI_SIZE(uv_getnameinfo_t, ABI_GETNAMEINFO_SIZE, 4);
ABI_SIZE(uv_shutdown_t, 40, 4);
ABI_SIZE(uv_write_t, 100, 4);
ABI_SIZE(uv_connect_t, 48, 4);
ABI_SIZE(uv_udp_send_t, 224, 4);
ABI_SIZE(uv_fs_t, ABI_FS_SIZE, ABI_LONG_ALIGN);
ABI_SIZE(uv_work_t, 64, 4);
ABI_SIZE(uv_random_t, 72, 4);
ABI_SIZE(uv_env_item_t, 8, 4);
ABI_SIZE(uv_cpu_info_t, 48, ABI_LONG_ALIGN);
ABI_SIZE(uv_interface_address_t, 72, 4);
ABI_SIZE(uv_dirent_t, 8, 4);
ABI_SIZE(uv_passwd_t, 20, 4);
ABI_SIZE(uv_utsname_t, 1024, 1);
ABI_SIZE(uv_statfs_t, 88, ABI_LONG_ALIGN);
ABI_SIZE(uv_stat_t, 128, ABI_LONG_ALIGN);
ABI_SIZE(uv_timespec_t, 8, 4);
ABI_SIZE(uv_timeval_t, 8, 4);
ABI_SIZE(uv_timeval64_t, ABI_I386_OR_ALIGNED(12, 16), ABI_LONG_ALIGN);
ABI_SIZE(uv_rusage_t, 128, ABI_LONG_ALIGN);
ABI_SIZE(uv_buf_t, 8, 4);
ABI_SIZE(uv_process_options_t, 40, 4);
ABI_SIZE(uv_stdio_container_t, 8, 4);
ABI_SIZE(uv_thread_options_t, 8, 4);
ABI_SIZE(uv_lib_t, 8, 4);
ABI_SIZE(uv_mutex_t, 24, 4);
ABI_SIZE(uv_rwlock_t, 32, 4);
ABI_SIZE(uv_sem_t, 16, 4);
ABI_SIZE(uv_cond_t, 48, ABI_COND_ALIGN);
ABI_SIZE(uv_key_t, 4, 4);
ABI_SIZE(uv_barrier_t, 20, 4);
ABI_SIZE(uv_once_t, 4, 4);
ABI_SIZE(uv_thread_t, 4, 4);
ABI_SIZE(uv_file, 4, 4);
ABI_SIZE(uv_os_sock_t, 4, 4);
ABI_SIZE(uv_os_fd_t, 4, 4);
ABI_SIZE(uv_pid_t, 4, 4);
ABI_SIZE(uv_gid_t, 4, 4);
ABI_SIZE(uv_uid_t, 4, 4);
ABI_SIZE(uv_metrics_t, ABI_I386_OR_ALIGNED(76, 80), ABI_LONG_ALIGN);
ABI_SIZE(uv_group_t, 12, 4);
ABI_SIZE(uv_timespec64_t, ABI_I386_OR_ALIGNED(12, 16), ABI_LONG_ALIGN);

ABI_OFFSET(uv_loop_t, data, 0);
ABI_OFFSET(uv_loop_t, active_handles, 4);
ABI_OFFSET(uv_loop_t, active_reqs, 16);
ABI_OFFSET(uv_loop_t, internal_fields, 20);
ABI_OFFSET(uv_loop_t, stop_flag, 24);

ABI_OFFSET(uv_handle_t, data, 0);
ABI_OFFSET(uv_handle_t, loop, 4);
ABI_OFFSET(uv_handle_t, type, 8);
ABI_OFFSET(uv_handle_t, close_cb, 12);
ABI_OFFSET(uv_handle_t, flags, 44);

ABI_OFFSET(uv_stream_t, write_queue_size, 48);
ABI_OFFSET(uv_stream_t, alloc_cb, 52);
ABI_OFFSET(uv_stream_t, read_cb, 56);

ABI_OFFSET(uv_udp_t, send_queue_size, 48);
ABI_OFFSET(uv_udp_t, send_queue_count, 52);

ABI_OFFSET(uv_pipe_t, ipc, 132);

ABI_OFFSET(uv_process_t, exit_cb, 48);
ABI_OFFSET(uv_process_t, pid, 52);

ABI_OFFSET(uv_signal_t, signal_cb, 48);
ABI_OFFSET(uv_signal_t, signum, 52);

ABI_OFFSET(uv_timer_t, data, 0);
ABI_OFFSET(uv_timer_t, loop, 4);
ABI_OFFSET(uv_timer_t, type, 8);

ABI_OFFSET(uv_tcp_t, data, 0);
ABI_OFFSET(uv_tcp_t, loop, 4);
ABI_OFFSET(uv_tcp_t, type, 8);
ABI_OFFSET(uv_tcp_t, write_queue_size, 48);
ABI_OFFSET(uv_tcp_t, alloc_cb, 52);
ABI_OFFSET(uv_tcp_t, read_cb, 56);

ABI_OFFSET(uv_req_t, data, 0);
ABI_OFFSET(uv_req_t, type, 4);

ABI_OFFSET(uv_write_t, data, 0);
ABI_OFFSET(uv_write_t, type, 4);
ABI_OFFSET(uv_write_t, cb, 32);
ABI_OFFSET(uv_write_t, send_handle, 36);
ABI_OFFSET(uv_write_t, handle, 40);

ABI_OFFSET(uv_connect_t, data, 0);
ABI_OFFSET(uv_connect_t, type, 4);
ABI_OFFSET(uv_connect_t, cb, 32);
ABI_OFFSET(uv_connect_t, handle, 36);

ABI_OFFSET(uv_shutdown_t, data, 0);
ABI_OFFSET(uv_shutdown_t, type, 4);
ABI_OFFSET(uv_shutdown_t, handle, 32);
ABI_OFFSET(uv_shutdown_t, cb, 36);

ABI_OFFSET(uv_udp_send_t, data, 0);
ABI_OFFSET(uv_udp_send_t, type, 4);
ABI_OFFSET(uv_udp_send_t, handle, 32);
ABI_OFFSET(uv_udp_send_t, cb, 36);

ABI_OFFSET(uv_getaddrinfo_t, data, 0);
ABI_OFFSET(uv_getaddrinfo_t, type, 4);
ABI_OFFSET(uv_getaddrinfo_t, loop, 32);
ABI_OFFSET(uv_getaddrinfo_t, addrinfo, 72);

ABI_OFFSET(uv_getnameinfo_t, data, 0);
ABI_OFFSET(uv_getnameinfo_t, type, 4);
ABI_OFFSET(uv_getnameinfo_t, loop, 32);
ABI_OFFSET(uv_getnameinfo_t, host, 192);
ABI_OFFSET(uv_getnameinfo_t, service, 192 + ABI_HOST_MAX);

ABI_OFFSET(uv_work_t, data, 0);
ABI_OFFSET(uv_work_t, type, 4);
ABI_OFFSET(uv_work_t, loop, 32);
ABI_OFFSET(uv_work_t, work_cb, 36);
ABI_OFFSET(uv_work_t, after_work_cb, 40);

ABI_OFFSET(uv_random_t, data, 0);
ABI_OFFSET(uv_random_t, type, 4);
ABI_OFFSET(uv_random_t, loop, 32);

ABI_OFFSET(uv_fs_t, data, 0);
ABI_OFFSET(uv_fs_t, type, 4);
ABI_OFFSET(uv_fs_t, fs_type, 32);
ABI_OFFSET(uv_fs_t, loop, 36);
ABI_OFFSET(uv_fs_t, cb, 40);
ABI_OFFSET(uv_fs_t, result, 44);
ABI_OFFSET(uv_fs_t, ptr, 48);
ABI_OFFSET(uv_fs_t, path, 52);
ABI_OFFSET(uv_fs_t, statbuf, 56);

ABI_OFFSET(uv_dir_t, dirents, 0);
ABI_OFFSET(uv_dir_t, nentries, 4);
ABI_OFFSET(uv_dir_t, reserved, 8);

ABI_OFFSET(uv_dirent_t, name, 0);
ABI_OFFSET(uv_dirent_t, type, 4);

ABI_OFFSET(uv_env_item_t, name, 0);
ABI_OFFSET(uv_env_item_t, value, 4);

ABI_OFFSET(uv_cpu_info_t, model, 0);
ABI_OFFSET(uv_cpu_info_t, speed, 4);
ABI_OFFSET(uv_cpu_info_t, cpu_times, 8);

ABI_OFFSET(uv_interface_address_t, name, 0);
ABI_OFFSET(uv_interface_address_t, phys_addr, 4);
ABI_OFFSET(uv_interface_address_t, is_internal, 12);
ABI_OFFSET(uv_interface_address_t, address, 16);
ABI_OFFSET(uv_interface_address_t, netmask, 44);

ABI_OFFSET(uv_passwd_t, username, 0);
ABI_OFFSET(uv_passwd_t, uid, 4);
ABI_OFFSET(uv_passwd_t, gid, 8);
ABI_OFFSET(uv_passwd_t, shell, 12);
ABI_OFFSET(uv_passwd_t, homedir, 16);

ABI_OFFSET(uv_buf_t, base, 0);
ABI_OFFSET(uv_buf_t, len, 4);

ABI_OFFSET(uv_process_options_t, exit_cb, 0);
ABI_OFFSET(uv_process_options_t, file, 4);
ABI_OFFSET(uv_process_options_t, args, 8);
ABI_OFFSET(uv_process_options_t, env, 12);
ABI_OFFSET(uv_process_options_t, cwd, 16);
ABI_OFFSET(uv_process_options_t, flags, 20);
ABI_OFFSET(uv_process_options_t, stdio_count, 24);
ABI_OFFSET(uv_process_options_t, stdio, 28);
ABI_OFFSET(uv_process_options_t, uid, 32);
ABI_OFFSET(uv_process_options_t, gid, 36);

ABI_OFFSET(uv_stdio_container_t, flags, 0);
ABI_OFFSET(uv_stdio_container_t, data, 4);

ABI_OFFSET(uv_thread_options_t, flags, 0);
ABI_OFFSET(uv_thread_options_t, stack_size, 4);

ABI_OFFSET(uv_group_t, groupname, 0);
ABI_OFFSET(uv_group_t, gid, 4);
ABI_OFFSET(uv_group_t, members, 8);

ABI_OFFSET(uv_lib_t, handle, 0);
ABI_OFFSET(uv_lib_t, errmsg, 4);

#endif
